-- The distance of words: bytes of strings, minima, two rows of a table.

local min = math.min

local function distance(a, b)
  local row, m = {}, #b
  for j = 0, m do row[j] = j end
  for i = 1, #a do
    local diagonal, byte = row[0], a:byte(i)
    row[0] = i
    for j = 1, m do
      local above = row[j]
      local cost = byte == b:byte(j) and 0 or 1
      row[j] = min(above + 1, row[j - 1] + 1, diagonal + cost)
      diagonal = above
    end
  end
  return row[m]
end

local words = {}
for word in ([[
  the timer of the kernel interrupts a program at moments that have nothing to
  do with it and writes down where it was
]]):gmatch("%a+") do words[#words + 1] = word end

return function()
  local sum = 0
  for i, a in ipairs(words) do
    for j = i + 1, #words do
      local b = words[j]
      sum = sum + distance(a .. b, b .. a:upper():lower()) * (a < b and 2 or 1)
    end
  end
  return sum
end
