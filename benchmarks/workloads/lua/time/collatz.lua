-- Integer arithmetic and unpredictable branches.

return function()
  local longest, best = 0, 0
  for start = 1, 3000 do
    local n, steps = start, 0
    while n ~= 1 do
      if n & 1 == 0 then n = n // 2 else n = 3 * n + 1 end
      steps = steps + 1
    end
    if steps > longest then longest, best = steps, start end
  end
  return best * 1000 + longest
end
