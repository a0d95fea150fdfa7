-- Functions as values: upvalues, pipelines, coroutines.

local function counter()
  local n = 0
  return function(by)
    n = n + by
    return n
  end
end

local function compose(f, g) return function(x) return f(g(x)) end end

local function map(list, f)
  local result = {}
  for i, v in ipairs(list) do result[i] = f(v) end
  return result
end

local function squares(n)
  return coroutine.wrap(function()
    for i = 1, n do coroutine.yield(i * i) end
  end)
end

return function()
  local total = counter()
  local list = {}
  for i = 1, 2000 do list[i] = i end
  local f = compose(function(x) return x * 3 end, function(x) return x + 1 end)
  for _, v in ipairs(map(map(list, f), compose(f, f))) do total(v % 7) end
  for square in squares(3000) do total(square % 5) end
  return total(0)
end
