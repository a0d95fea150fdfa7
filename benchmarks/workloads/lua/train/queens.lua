-- Backtracking: how many ways to put queens on a board?

local function place(row, n, columns, rising, falling)
  if row > n then return 1 end
  local ways = 0
  for column = 1, n do
    local up, down = row + column, row - column + n
    if not (columns[column] or rising[up] or falling[down]) then
      columns[column], rising[up], falling[down] = true, true, true
      ways = ways + place(row + 1, n, columns, rising, falling)
      columns[column], rising[up], falling[down] = false, false, false
    end
  end
  return ways
end

return function() return place(1, 8, {}, {}, {}) * 100 + place(1, 7, {}, {}, {}) end
