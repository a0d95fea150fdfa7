-- Floating-point arithmetic on fields of tables.

local sqrt = math.sqrt

local function body(x, y, z, vx, vy, vz, mass)
  return { x = x, y = y, z = z, vx = vx, vy = vy, vz = vz, mass = mass }
end

local function advance(bodies, dt)
  for i = 1, #bodies do
    local a = bodies[i]
    for j = i + 1, #bodies do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      local d2 = dx * dx + dy * dy + dz * dz + 0.01
      local mag = dt / (d2 * sqrt(d2))
      a.vx = a.vx - dx * b.mass * mag
      a.vy = a.vy - dy * b.mass * mag
      a.vz = a.vz - dz * b.mass * mag
      b.vx = b.vx + dx * a.mass * mag
      b.vy = b.vy + dy * a.mass * mag
      b.vz = b.vz + dz * a.mass * mag
    end
  end
  for _, a in ipairs(bodies) do
    a.x = a.x + dt * a.vx
    a.y = a.y + dt * a.vy
    a.z = a.z + dt * a.vz
  end
end

return function()
  local bodies = {
    body(0, 0, 0, 0, 0, 0, 40), body(5, -1, 0, 0.6, 2.8, 0, 0.04),
    body(8, 4, -0.4, -1, 1.8, 0, 0.01), body(13, -15, -0.2, 1, 0.8, 0, 0.002),
    body(15, -26, 0.2, 1, 0.6, 0, 0.002),
  }
  for _ = 1, 600 do advance(bodies, 0.01) end
  local energy = 0
  for _, b in ipairs(bodies) do
    energy = energy + b.mass * (b.vx ^ 2 + b.vy ^ 2 + b.vz ^ 2) / 2
  end
  return string.format("%.9f", energy)
end
