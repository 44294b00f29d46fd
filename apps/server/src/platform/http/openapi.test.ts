import { expect, test } from 'vitest'
import { readApiDocument } from '../../../test/api-document.ts'
import { describeApi } from './openapi.ts'

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required: boolean }
type Call = { operationId: string; parameters?: Parameter[]; responses: Record<string, { content: Json }> }

const document = describeApi('1')
const components = document['components'] as Record<string, Json>
const refsIn = (value: unknown): Set<string> =>
  new Set([...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!))
const addresses = Object.entries(components).flatMap(([kind, named]) =>
  kind === 'securitySchemes' ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
)

test('whatever is referred to is there, and only that', () => {
  expect(addresses.length).toBeGreaterThan(100)
  expect([...refsIn(document)].sort()).toEqual(addresses.sort())
})

test('no component is used by components alone', () => {
  const reached = refsIn(document['paths'])
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const address of [...reached]) {
      const [, , kind = '', name = ''] = address.split('/')
      for (const ref of refsIn(components[kind]?.[name])) reached.add(ref)
    }
  }
  expect([...reached].sort()).toEqual(addresses.sort())
})

test('every noun of the contract has one name, however many calls answer it', () => {
  const texts = Object.values(components['schemas']!).map((schema) => JSON.stringify(schema))
  const objects = texts.filter((text) => text.includes('"properties"'))
  expect(objects.filter((text, index) => objects.indexOf(text) !== index)).toEqual([])
})

const written = readApiDocument() as { paths: Record<string, Record<string, Call>> }
const calls = Object.entries(written.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ name: `${method.toUpperCase()} ${path}`, path, call })),
)

test('every part of a path that varies is a parameter of its call', () => {
  const wrong = calls.filter(({ path, call }) => {
    const inPath = (call.parameters ?? []).filter((parameter) => parameter.in === 'path')
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    return JSON.stringify(inPath.map(({ name }) => name)) !== JSON.stringify(names) || inPath.some((p) => !p.required)
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
  expect(calls.filter(({ path }) => path.includes('{')).length).toBeGreaterThan(50)
})

test('every refusal is a problem', () => {
  const types = calls.flatMap(({ name, call }) =>
    Object.entries(call.responses)
      .filter(([status]) => status !== '200')
      .map(([status, { content }]) => [`${name} ${status}`, Object.keys(content)] as const),
  )
  expect(types.length).toBeGreaterThan(calls.length)
  expect(types.filter(([, [type]]) => type !== 'application/problem+json')).toEqual([])
})
