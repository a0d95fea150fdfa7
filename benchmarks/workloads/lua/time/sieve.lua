-- Arrays of booleans.

return function()
  local limit, prime, count = 20000, {}, 0
  for i = 2, limit do prime[i] = true end
  for i = 2, limit do
    if prime[i] then
      count = count + 1
      for j = i * i, limit, i do prime[j] = false end
    end
  end
  return count
end
