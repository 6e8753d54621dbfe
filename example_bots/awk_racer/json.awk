# JSON for awk: `flatten` takes a line apart into the array J. For {"a":{"b":[7,"x"]}} that is
#
#     J["a"] = "{}"   J["a.b"] = "[]"   J["a.b.#"] = 2   J["a.b.0"] = 7   J["a.b.1"] = "x"
#
# It is for lines that are known to be JSON without blanks; escapes in strings stay as they are.

function flatten(line) {
    split("", J)
    S = line
    P = 1 # where we are in S
    value("")
}

function value(path,    first) {
    first = substr(S, P, 1)
    if (first == "{") object(path)
    else if (first == "[") list(path)
    else if (first == "\"") J[path] = string()
    else J[path] = word()
}

function object(path,    name) {
    J[path] = "{}"
    for (P++; substr(S, P, 1) != "}"; comma()) {
        name = string()
        P++ # the colon
        value(path == "" ? name : path "." name)
    }
    P++
}

function list(path,    count) {
    J[path] = "[]"
    count = 0
    for (P++; substr(S, P, 1) != "]"; comma()) value(path "." count++)
    P++
    J[path ".#"] = count
}

function comma() {
    if (substr(S, P, 1) == ",") P++
}

function string(    text) {
    match(substr(S, P), /^"([^"\\]|\\.)*"/)
    text = substr(S, P + 1, RLENGTH - 2)
    P += RLENGTH
    return text
}

function word(    text) {
    match(substr(S, P), /^[^],}]+/)
    text = substr(S, P, RLENGTH)
    P += RLENGTH
    return text
}
