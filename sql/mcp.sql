-- What programs send to twindex mcp, and what they are answered: JSON, and no table.

-- The type of a line, or NULL where it is no JSON; whether an object in it has a key twice.
-- name: mcp_kind plan=scan,sort
SELECT json_type(:line), EXISTS (SELECT 1 FROM json_tree(:line) WHERE key IS NOT NULL GROUP BY parent, key HAVING count(*) > 1)
WHERE json_valid(:line);

-- The parts of a request that count; of params or its arguments, whichever is no object, the type.
-- name: mcp_request
SELECT json_extract(:line, '$.jsonrpc'),
       json_type(:line, '$.id'), typeof(json_extract(:line, '$.id')), json_extract(:line, '$.id'),
       CASE json_type(:line, '$.method') WHEN 'text' THEN json_extract(:line, '$.method') END,
       CASE json_type(:line, '$.params.protocolVersion') WHEN 'text' THEN json_extract(:line, '$.params.protocolVersion') END,
       json_extract(:line, '$.params._meta."io.modelcontextprotocol/protocolVersion"'),
       CASE json_type(:line, '$.params.name') WHEN 'text' THEN json_extract(:line, '$.params.name') END,
       CASE coalesce(json_type(:line, '$.params'), 'object') WHEN 'object' THEN json_type(:line, '$.params.arguments')
            ELSE json_type(:line, '$.params') END,
       CASE json_type(:line, '$.params.arguments') WHEN 'object' THEN json_extract(:line, '$.params.arguments') END,
       json_type(:line, '$.result') IS NOT NULL OR json_type(:line, '$.error') IS NOT NULL;

-- The arguments of a tool, those that are lists once for each element.
-- name: mcp_arguments plan=scan
SELECT a.key, a.type, a.atom, e.type, e.atom
FROM json_each(:arguments) AS a LEFT JOIN json_each(CASE a.type WHEN 'array' THEN a.value ELSE '[]' END) AS e;

-- A document on one line, of its lists only so many elements from one on.
-- name: mcp_part plan=scan
SELECT json_group_object(d.key, json(
    CASE d.type
    WHEN 'array' THEN (
        SELECT json_group_array(json(CASE e.type WHEN 'object' THEN e.value WHEN 'array' THEN e.value WHEN 'true' THEN 'true'
                                                 WHEN 'false' THEN 'false' ELSE json_quote(e.atom) END))
        FROM (SELECT * FROM json_each(d.value) LIMIT :limit OFFSET :offset) AS e)
    WHEN 'object' THEN d.value WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE json_quote(d.atom) END))
FROM json_each(:document) AS d;

-- How long the lists of a document are that mcp_part cuts.
-- name: mcp_lengths plan=scan
SELECT json_group_object(key, json_array_length(value))
FROM json_each(:document) WHERE type = 'array' AND (json_array_length(value) > :limit OR :offset > 0);
