-- Numbers of many digits as objects with operators: metamethods.

local BASE = 10000
local Big = {}
Big.__index = Big

local function big(n)
  local digits = {}
  repeat
    digits[#digits + 1] = n % BASE
    n = n // BASE
  until n == 0
  return setmetatable(digits, Big)
end

function Big.__add(a, b)
  local sum, carry = {}, 0
  for i = 1, math.max(#a, #b) do
    local digit = (a[i] or 0) + (b[i] or 0) + carry
    if digit >= BASE then
      sum[i], carry = digit - BASE, 1
    else
      sum[i], carry = digit, 0
    end
  end
  if carry > 0 then sum[#sum + 1] = carry end
  return setmetatable(sum, Big)
end

function Big.__mul(a, b)
  if type(b) == "number" then b = big(b) end
  local result = {}
  for i = 1, #a + #b do result[i] = 0 end
  for i = 1, #a do
    local carry, x = 0, a[i]
    for j = 1, #b do
      local digit = result[i + j - 1] + x * b[j] + carry
      result[i + j - 1] = digit % BASE
      carry = digit // BASE
    end
    result[i + #b] = result[i + #b] + carry
  end
  while #result > 1 and result[#result] == 0 do result[#result] = nil end
  return setmetatable(result, Big)
end

function Big.__eq(a, b)
  if #a ~= #b then return false end
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

function Big.__lt(a, b)
  if #a ~= #b then return #a < #b end
  for i = #a, 1, -1 do
    if a[i] ~= b[i] then return a[i] < b[i] end
  end
  return false
end

function Big.__tostring(a)
  local parts = { tostring(a[#a]) }
  for i = #a - 1, 1, -1 do parts[#parts + 1] = string.format("%04d", a[i]) end
  return table.concat(parts)
end

return function(round)
  local a, b, limit = big(1), big(round % 5), big(10) * 1000000
  for _ = 1, 6 do limit = limit * limit end
  local steps = 0
  repeat
    a, b = a + b, a
    steps = steps + 1
  until steps == 300 or limit < a
  local factorial = big(1)
  for i = 2, 60 do factorial = factorial * i end
  local square = factorial * factorial
  return #tostring(square) .. tostring(a):sub(1, 8) .. tostring(square == square + big(0))
end
