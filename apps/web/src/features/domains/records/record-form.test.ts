import type { DnsRecord } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { inputOf, newRecord, problemsOf, valuesOf } from './record-form.ts'

const base = {
  id: 'r1',
  name: 'www.harbour.example',
  ttl: 300,
  proxied: null,
  priority: null,
  comment: 'why',
  data: null,
}
const common = { name: 'www', ttl: 300, comment: 'why' }

test.each<[Partial<DnsRecord>, object]>([
  [
    { type: 'A', content: '203.0.113.7', proxied: false },
    { content: '203.0.113.7', proxied: false },
  ],
  [
    { type: 'MX', content: 'mx.example', priority: 0 },
    { content: 'mx.example', priority: 0 },
  ],
  [{ type: 'NS', content: 'ns.example' }, { content: 'ns.example' }],
  [{ type: 'TXT', content: '"one " "two \\"three\\""' }, { content: 'one two "three"' }],
  [
    { type: 'SRV', content: '', priority: 1, data: { priority: 1, weight: 2, port: 3, target: 'sip.example' } },
    { data: { priority: 1, weight: 2, port: 3, target: 'sip.example' } },
  ],
  [
    { type: 'CAA', content: '', data: { flags: 128, tag: 'iodef', value: 'mailto:a@b.example' } },
    { data: { flags: 128, tag: 'iodef', value: 'mailto:a@b.example' } },
  ],
])('%j is sent as it was shown', (part, expected) => {
  const record = { ...base, ...part } as DnsRecord
  expect(inputOf(valuesOf(record, 'harbour.example'))).toEqual({ type: record.type, ...common, ...expected })
})

test('what is empty, or no number, is told at its field', () => {
  const told = (part: Partial<typeof newRecord>) =>
    Object.entries(problemsOf({ ...newRecord, ...part })).flatMap(([name, text]) => (text ? [name] : []))
  expect(told({})).toEqual(['name', 'content'])
  expect(told({ name: '@', type: 'MX', content: 'mx.example', priority: '65536' })).toEqual(['priority'])
  expect(told({ name: '@', type: 'SRV', port: '' })).toEqual(['port', 'target'])
  expect(told({ name: '@', type: 'CAA', flags: '256', value: 'pki.goog' })).toEqual(['flags'])
  expect(told({ name: '@', content: '203.0.113.7' })).toEqual([])
})
