import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project } from './lib/steps.ts'
import { textsOf } from './lib/texts.ts'
import { betterWording } from './lib/wording.ts'

const folders = ['apps/web/src', 'apps/server/src', 'packages/contract/src']

/** The sources whose texts users read; tests and their fixtures do not count. */
function sources(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)test\//.test(path))
      .map((path) => `${folder}/${path}`),
  )
}

/** The texts of a source that should say something else, each with what it should say. */
function discouraged(source: string, isTsx: boolean): string[] {
  return textsOf(source, isTsx).flatMap((text) => {
    const better = betterWording(text)
    return better === null ? [] : [`“${text}” → ${better}`]
  })
}

test('no text of the console uses a phrase that has a plainer one', () => {
  const files = sources()
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) =>
    discouraged(readFileSync(join(project, file), 'utf8'), file.endsWith('x')).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

describe('a discouraged phrase is found', () => {
  test.each([
    ['in a string', `const text = 'Tried in vain to sign in'`],
    ['in a template', `const text = \`\${money} of it went back before\``],
    ['in a label', `const method = { label: 'Way' }`],
    ['in an attribute', `const field = <Field label="Second factor" />`],
    ['between tags, over two lines', `const note = <p>It has no sites that\n        this reaches</p>`],
    ['after a value between tags', `const total = <p>{count} in all</p>`],
    ['in the arm of a choice', `const choice = isWhole ? 'All of it' : 'Full amount'`],
  ])('%s', (_, source) => {
    expect(discouraged(source, true)).toHaveLength(1)
  })
})

describe('nothing else is taken for one', () => {
  test.each([
    ['a name', 'const secondFactor = goesOn(notKnown)'],
    ['a comment', `// What is not known goes on.\n/** Kept in vain. */\nexport const Way = 1`],
    ['a comment between tags', 'const page = <p>{/* The second factor comes back. */}Restored</p>'],
    ['a type', `type Choice = 'All of it' | 'The rest'`],
    ['the path of an import', `import { a } from './in vain.ts'\nexport { b } from './goes on.ts'`],
    ['a word inside another', `const text = 'Wayfair is off in all your browsers'`],
  ])('%s', (_, source) => {
    expect(discouraged(source, true)).toEqual([])
  })
})
