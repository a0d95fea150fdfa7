-- Tables of tables of numbers: products, transposition, elimination.

local function make(n, f)
  local m = {}
  for i = 1, n do
    local row = {}
    for j = 1, n do row[j] = f(i, j) end
    m[i] = row
  end
  return m
end

local function product(a, b)
  local n = #a
  local columns = make(n, function(i, j) return b[j][i] end)
  return make(n, function(i, j)
    local row, column, sum = a[i], columns[j], 0
    for k = 1, n do sum = sum + row[k] * column[k] end
    return sum
  end)
end

local function determinant(m)
  local n, result = #m, 1.0
  for i = 1, n do
    local pivot = i
    for k = i + 1, n do
      if math.abs(m[k][i]) > math.abs(m[pivot][i]) then pivot = k end
    end
    if m[pivot][i] == 0 then return 0 end
    if pivot ~= i then
      m[i], m[pivot] = m[pivot], m[i]
      result = -result
    end
    result = result * m[i][i]
    for k = i + 1, n do
      local factor = m[k][i] / m[i][i]
      for j = i, n do m[k][j] = m[k][j] - factor * m[i][j] end
    end
  end
  return result
end

return function(round)
  local n = 32
  local a = make(n, function(i, j) return (i * j + round) % 7 - 3 end)
  local b = make(n, function(i, j) return i == j and 2 or (i + j) % 3 end)
  local c = product(product(a, b), b)
  return string.format("%.6g %d", determinant(make(n, function(i, j)
    return 1.0 / (i + j - 1) + (i == j and 1 or 0)
  end)), c[3][5] + c[n][1])
end
