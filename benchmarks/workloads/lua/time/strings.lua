-- Building, matching, formatting and cutting strings.

return function()
  local parts = {}
  for i = 1, 600 do parts[#parts + 1] = string.format("%d:%s", i, ("x"):rep(i % 7)) end
  local text = table.concat(parts, ",")
  local sum = 0
  for number, xs in text:gmatch("(%d+):(x*)") do sum = sum + number * #xs end
  local upper = text:gsub("x+", function(xs) return #xs > 3 and "Y" or xs:upper() end)
  for i = 1, #upper do sum = sum + upper:byte(i) end
  local piece = ""
  for i = 1, 200 do piece = piece .. string.char(97 + i % 26) end
  return sum .. piece:reverse():sub(1, 10) .. (upper:find("Y,%d*9:") or 0)
end
