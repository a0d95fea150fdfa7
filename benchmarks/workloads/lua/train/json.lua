-- Writes nested tables as text and reads them back, character by character.

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n" }
local unescapes = { ['"'] = '"', ["\\"] = "\\", n = "\n" }

local function write(value, out)
  local kind = type(value)
  if kind == "table" then
    if #value > 0 then
      out[#out + 1] = "["
      for i, item in ipairs(value) do
        if i > 1 then out[#out + 1] = "," end
        write(item, out)
      end
      out[#out + 1] = "]"
    else
      local keys = {}
      for key in pairs(value) do keys[#keys + 1] = key end
      table.sort(keys)
      out[#out + 1] = "{"
      for i, key in ipairs(keys) do
        if i > 1 then out[#out + 1] = "," end
        write(key, out)
        out[#out + 1] = ":"
        write(value[key], out)
      end
      out[#out + 1] = "}"
    end
  elseif kind == "string" then
    out[#out + 1] = '"' .. value:gsub('["\\\n]', escapes) .. '"'
  else
    out[#out + 1] = tostring(value)
  end
end

local read

local function read_string(text, at)
  local parts = {}
  at = at + 1
  while true do
    local stop = text:find('["\\]', at)
    parts[#parts + 1] = text:sub(at, stop - 1)
    if text:byte(stop) == 34 then return table.concat(parts), stop + 1 end
    parts[#parts + 1] = unescapes[text:sub(stop + 1, stop + 1)]
    at = stop + 2
  end
end

local function read_list(text, at)
  local list = {}
  repeat
    list[#list + 1], at = read(text, at + 1)
  until text:sub(at, at) ~= ","
  return list, at + 1
end

local function read_object(text, at)
  local object, key = {}, nil
  repeat
    key, at = read_string(text, at + 1)
    object[key], at = read(text, at + 1)
  until text:sub(at, at) ~= ","
  return object, at + 1
end

function read(text, at)
  local first = text:sub(at, at)
  if first == '"' then return read_string(text, at) end
  if first == "[" then return read_list(text, at) end
  if first == "{" then return read_object(text, at) end
  if text:sub(at, at + 3) == "true" then return true, at + 4 end
  if text:sub(at, at + 4) == "false" then return false, at + 5 end
  local _, stop = text:find("^-?%d+%.?%d*", at)
  return tonumber(text:sub(at, stop)), stop + 1
end

return function(round)
  local people = {}
  for i = 1, 60 do
    people[i] = {
      name = "person \"" .. i .. "\"",
      age = (i * 37 + round) % 90,
      tags = { "a" .. i % 3, "line\nbreak", i % 2 == 0 },
      score = i / 4,
    }
  end
  local out = {}
  write({ people = people, version = 3 }, out)
  local text = table.concat(out)
  local again = {}
  write((read(text, 1)), again)
  assert(table.concat(again) == text)
  return #text
end
