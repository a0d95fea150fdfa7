-- Floating-point arithmetic in local variables.

return function()
  local size, limit, inside = 40, 40, 0
  for y = 0, size - 1 do
    local ci = 2.0 * y / size - 1.0
    for x = 0, size - 1 do
      local cr = 2.0 * x / size - 1.5
      local zr, zi, steps = 0.0, 0.0, 0
      while steps < limit and zr * zr + zi * zi <= 4.0 do
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        steps = steps + 1
      end
      if steps == limit then inside = inside + 1 end
    end
  end
  return inside
end
