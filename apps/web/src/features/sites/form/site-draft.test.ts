import { expect, test } from 'vitest'
import { bodyOf, changesOf, emptyDraft, isComplete, rebase, refusedField, type SiteDraft } from './site-draft.ts'

const ada = { id: 'cus_1', name: 'Ada', email: null }
const harbour: SiteDraft = { ...emptyDraft, site_name: 'Harbour', domain: 'harbour.example', owner: ada }

test('empty fields are none, and texts lose the blanks around them', () => {
  expect(bodyOf({ ...harbour, site_name: ' Harbour ', subdomain: ' ' })).toEqual({
    site_name: 'Harbour',
    domain: 'harbour.example',
    subdomain: null,
    customer_id: 'cus_1',
    deployment_url: null,
    template_type: null,
  })
})

test.each([
  [{}, true],
  [{ site_name: ' ' }, false],
  [{ domain: '' }, false],
])('%o is complete: %s', (part, expected) => {
  expect(isComplete({ ...harbour, ...part })).toBe(expected)
})

test('only what differs is sent', () => {
  expect(changesOf(harbour, harbour)).toBeNull()
  expect(changesOf({ ...harbour, site_name: 'Harbour ' }, harbour)).toBeNull()
  expect(changesOf({ ...harbour, owner: null, subdomain: 'shop' }, harbour)).toEqual({
    customer_id: null,
    subdomain: 'shop',
  })
})

test('what was typed is kept over a newer state, and the rest follows it', () => {
  const now = { ...harbour, site_name: 'Harbour Bakery', template_type: 'shop', owner: null }
  const draft = { ...harbour, domain: 'bakery.example' }
  expect(rebase(draft, harbour, now)).toEqual({ ...now, domain: 'bakery.example' })
  const other = { id: 'cus_2', name: 'Bob', email: null }
  expect(rebase({ ...harbour, owner: other }, harbour, now).owner).toEqual(other)
})

test('a refusal stands at the field that it names', () => {
  expect(refusedField({ message: 'It is taken', parameter: 'domain' })).toEqual({ domain: 'It is taken' })
  expect(refusedField({ message: 'It is taken', parameter: 'body.domain' })).toEqual({ domain: 'It is taken' })
  expect(refusedField({ message: 'No', parameter: 'version' })).toEqual({})
  expect(refusedField(null)).toEqual({})
})
