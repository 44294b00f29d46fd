/** What is no part of the query's own words: comments, strings and quoted names, also those of PostgreSQL's own kinds. */
const aside =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/g

const mostParameters = 50

/** How many values a query asks for: the highest of its placeholders `$1`, `$2`, … */
export function placeholdersIn(query: string): number {
  const numbers = [...query.replaceAll(aside, ' ').matchAll(/\$(\d{1,2})(?!\d)/g)].map(([, digits]) => Number(digits))
  return Math.min(Math.max(0, ...numbers), mostParameters)
}
