import { expect, test } from 'vitest'
import { type Cell, csvLine } from './csv.ts'

test.each([
  ['plain text', 'Ada', 'Ada'],
  ['nothing', null, ''],
  ['a comma', 'Ada, Countess', '"Ada, Countess"'],
  ['quotes', 'the "first"', '"the ""first"""'],
  ['a line break', 'one\ntwo', '"one\ntwo"'],
  ['a carriage return inside', 'one\rtwo', '"one\rtwo"'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with quotes', '=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['a phone number', '+15550001', "'+15550001"],
  ['a minus', '-2', "'-2"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab first', '\t=1', "'\t=1"],
  ['a carriage return first', '\r=1', `"'\r=1"`],
  ['a line break first', '\n=1', `"'\n=1"`],
  ['full-width signs', '＝1', "'＝1"],
  ['a full-width plus', '＋1', "'＋1"],
  ['a full-width minus', '－1', "'－1"],
  ['a full-width at sign', '＠x', "'＠x"],
  ['a formula after spaces', '  =1', "'  =1"],
  ['a formula after a no-break space', '\u00a0=1', "'\u00a0=1"],
  ['a formula after a sign without width', '\u200b=1', "'\u200b=1"],
  ['a formula after a byte order mark', '\ufeff+1', "'\ufeff+1"],
  ['a full-width sign after a full-width space', '\u3000＝1', "'\u3000＝1"],
  ['a formula after a line break', '\n =1', `"'\n =1"`],
  ['spaces alone', '  x', '  x'],
  ['a sign further on', 'a=1', 'a=1'],
  ['a number', 12, '12'],
  ['a negative number', -12, '-12'],
  ['a negative decimal', { decimal: '-12.50' }, '-12.50'],
  ['other scripts', 'דוד 田中 🙂', 'דוד 田中 🙂'],
] satisfies [string, Cell, string][])('%s', (_, cell, expected) => {
  expect(csvLine([cell])).toBe(`${expected}\r\n`)
})

test('separates cells by commas and ends the record', () => {
  expect(csvLine(['a', 1, null, { decimal: '2.50' }])).toBe('a,1,,2.50\r\n')
})
