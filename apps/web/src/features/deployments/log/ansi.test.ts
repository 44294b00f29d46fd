import { expect, test } from 'vitest'
import { spansOf } from './ansi.ts'

const esc = '\u001b'
const textOf = (line: string) =>
  spansOf(line)
    .map(({ text }) => text)
    .join('')

test.each([
  ['plain text', 'plain <b>text</b>', [{ text: 'plain <b>text</b>' }]],
  ['nothing', '', []],
  ['colours and back', `a ${esc}[31mred${esc}[0m b`, [{ text: 'a ' }, { text: 'red', color: 'red' }, { text: ' b' }]],
  ['bright colours', `${esc}[92mok`, [{ text: 'ok', color: 'green' }]],
  ['bright black is grey', `${esc}[90mold`, [{ text: 'old', dim: true }]],
  [
    'several at once',
    `${esc}[1;4;33;44mw`,
    [{ text: 'w', bold: true, underline: true, color: 'yellow', background: 'blue' }],
  ],
  ['one of 256 that is one of the 16', `${esc}[38;5;9mr`, [{ text: 'r', color: 'red' }]],
  ['colours that are not ours', `${esc}[38;2;1;2;3mx${esc}[38;5;200my`, [{ text: 'x' }, { text: 'y' }]],
  ['an empty reset', `${esc}[1mb${esc}[mc`, [{ text: 'b', bold: true }, { text: 'c' }]],
] as const)('%s', (_, line, spans) => {
  expect(JSON.parse(JSON.stringify(spansOf(line)))).toEqual(spans)
})

test.each([
  ['moves of the cursor', `${esc}[2K${esc}[1Gdone`, 'done'],
  ['a link of the terminal', `${esc}]8;;javascript:alert(1)\u0007click${esc}]8;;\u0007`, 'click'],
  ['a title that has no end', `a${esc}]0;rest of the line`, 'a'],
  ['a lone escape', `a${esc}`, 'a'],
  ['other control characters', 'a\u0000b\u0008c\u009fd', 'abcd'],
  ['a line that writes over itself', '10%\r50%\r100%', '100%'],
  ['a line end of Windows', 'done\r', 'done'],
  ['tabs stay', 'a\tb', 'a\tb'],
])('takes out %s', (_, line, text) => {
  expect(textOf(line)).toBe(text)
})

test('a hostile line of many sequences is read in time', () => {
  const started = performance.now()
  spansOf(`${esc}[`.repeat(50_000))
  spansOf(`${esc}]`.repeat(50_000))
  spansOf(`${esc}[${'1;'.repeat(50_000)}m`)
  expect(performance.now() - started).toBeLessThan(2000)
})
