import { expect, test } from 'vitest'
import { differences } from '../../../lib/form/differences.ts'
import { bodyOf, emptyFields, requiredText, type SiteFields, siteForm } from './site-fields.ts'

const ada = { id: 'cus_1', name: 'Ada', email: null }
const harbour: SiteFields = { ...emptyFields, site_name: 'Harbour', domain: 'harbour.example', owner: ada }

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
  [{}, {}],
  [{ site_name: ' ' }, { site_name: requiredText }],
  [{ domain: '' }, { domain: requiredText }],
])('%o: what is missing is %o', (part, expected) => {
  expect(siteForm.problemsOf({ ...harbour, ...part })).toEqual(expected)
})

test.each<[Partial<SiteFields>, object | null]>([
  [{}, null],
  [{ site_name: 'Harbour ' }, null],
  [
    { owner: null, subdomain: 'shop' },
    { customer_id: null, subdomain: 'shop' },
  ],
])('%o: only what differs is sent', (part, changes) => {
  expect(differences(bodyOf({ ...harbour, ...part }), bodyOf(harbour))).toEqual(changes)
})
