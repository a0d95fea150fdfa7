-- Permutations from a coroutine, and prefixes of arrays turned around.

local function permute(list, n)
  if n == 0 then
    coroutine.yield(list)
  else
    for i = 1, n do
      list[i], list[n] = list[n], list[i]
      permute(list, n - 1)
      list[i], list[n] = list[n], list[i]
    end
  end
end

local function flips(list)
  local copy, count = { table.unpack(list) }, 0
  while copy[1] ~= 1 do
    local i, j = 1, copy[1]
    while i < j do
      copy[i], copy[j] = copy[j], copy[i]
      i, j = i + 1, j - 1
    end
    count = count + 1
  end
  return count
end

return function()
  local most, sum = 0, 0
  for list in coroutine.wrap(function() permute({ 1, 2, 3, 4, 5, 6, 7 }, 7) end) do
    local count = flips(list)
    if count > most then most = count end
    sum = sum + count
  end
  return most * 100000 + sum
end
