-- Classes by metatables, method calls that dispatch on the class.

local Shape = {}
Shape.__index = Shape
function Shape:grow(by) self.size = self.size + by end

local function class()
  local c = setmetatable({}, { __index = Shape })
  c.__index = c
  c.new = function(size) return setmetatable({ size = size }, c) end
  return c
end

local Square, Circle, Bar = class(), class(), class()
function Square:area() return self.size * self.size end
function Circle:area() return 3 * self.size * self.size end
function Bar:area() return self.size end
Bar.__add = function(a, b) return Bar.new(a.size + b.size) end

return function()
  local shapes = {}
  for i = 1, 300 do
    local c = i % 10 == 0 and Circle or i % 25 == 0 and Bar or Square
    shapes[i] = c.new(i % 17)
  end
  local sum = 0
  for _ = 1, 40 do
    for i = 1, #shapes do
      local s = shapes[i]
      sum = sum + s:area()
      if s.size > 30 then s.size = 1 else s:grow(1) end
    end
  end
  local bar = Bar.new(0)
  for i = 1, 500 do bar = bar + Bar.new(i) end
  return sum + bar.size
end
