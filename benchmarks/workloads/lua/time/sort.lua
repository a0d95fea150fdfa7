-- table.sort with and without a comparison, on numbers and strings, and a heap.

local function numbers(n, seed)
  local list = {}
  for i = 1, n do
    seed = (seed * 1103515245 + 12345) % 2147483648
    list[i] = seed % 10007
  end
  return list
end

local function heap_sort(list)
  local function sift(from, n)
    local value = list[from]
    while 2 * from <= n do
      local child = 2 * from
      if child < n and list[child + 1] > list[child] then child = child + 1 end
      if list[child] <= value then break end
      list[from] = list[child]
      from = child
    end
    list[from] = value
  end
  for i = #list // 2, 1, -1 do sift(i, #list) end
  for n = #list, 2, -1 do
    list[1], list[n] = list[n], list[1]
    sift(1, n - 1)
  end
end

return function(round)
  local a = numbers(2000, 42 + round)
  table.sort(a)
  local b = numbers(2000, 43 + round)
  table.sort(b, function(x, y) return x > y end)
  local c = numbers(2000, 44 + round)
  heap_sort(c)
  local d = {}
  for i, v in ipairs(numbers(500, 45 + round)) do d[i] = "key" .. v end
  table.sort(d)
  return a[1000] + b[1000] + c[1000] .. d[250]
end
