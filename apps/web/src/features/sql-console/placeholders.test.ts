import { expect, test } from 'vitest'
import { placeholdersIn } from './placeholders.ts'

test.each([
  ['select 1', 0],
  ['select $1', 1],
  ['select $2 where id = $1', 2],
  ['select \'$3\', "$4", $1 -- $5\n/* $6 */', 1],
  ["select 'it''s $2', $1", 1],
  ["select e'\\'$2', $1", 1],
  ['select $$ $4 $$, $1', 1],
  ['select $body$ $4 $body$, $2', 2],
  ['select $99', 50],
  ['', 0],
])('%s asks for %i', (query, count) => {
  expect(placeholdersIn(query)).toBe(count)
})
