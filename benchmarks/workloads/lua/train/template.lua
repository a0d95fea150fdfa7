-- Text with holes: patterns with captures, substitution by tables and functions,
-- formats.

local page = [[
<h1>$title</h1>
<p>Dear ${name}, your order of $count items (total: ${total}) was sent on
$day to $city.</p> <!-- ${upper:name} ${pad:count} -->
]]

local filters = {
  upper = string.upper,
  pad = function(value) return ("%08.3f|%-6s|%x"):format(value, value, value) end,
}

local function fill(text, values)
  text = text:gsub("%${(%a+):(%a+)}", function(filter, name)
    return filters[filter](values[name])
  end)
  text = text:gsub("%${(%a+)}", values)
  return (text:gsub("%$(%a+)", values))
end

local function escape(text)
  return (text:gsub("[<>&]", { ["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;" }))
end

return function(round)
  local size, lines, checksum = 0, 0, 0
  for i = 1, 60 do
    local text = fill(page, {
      title = "Order & more " .. i,
      name = ("name"):rep(i % 3 + 1, "-"),
      count = i * round % 97,
      total = string.format("%.2f", i * 3.99),
      day = "2000-01-" .. string.format("%02d", i % 28 + 1),
      city = i % 2 == 0 and "Here" or "There",
    })
    text = escape(text)
    size = size + #text
    for line in text:gmatch("[^\n]+") do
      lines = lines + 1
      local first, rest = line:match("^%s*(%S+)%s+(.*)$")
      if first then checksum = (checksum * 31 + #first * #rest) % 1000003 end
    end
    if text:find("There", 1, true) then checksum = checksum + 1 end
  end
  return size .. " " .. lines .. " " .. checksum
end
