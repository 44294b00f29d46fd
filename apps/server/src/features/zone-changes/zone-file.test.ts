import type { ZoneFileEntry } from '@agency/contract/types'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsWorld, openDns } from './test/world.ts'

let w: DnsWorld
beforeAll(async () => {
  w = await openDns()
})
afterAll(() => w?.close())

const read = async (text: string): Promise<ZoneFileEntry[]> => {
  const answer = await w.writer.post(`${w.base}/zone-file`, { text })
  expect(answer.statusCode).toBe(200)
  return answer.json().entries
}
const exported = async (): Promise<{ name: string; text: string }> => (await w.reader.get(`${w.base}/zone-file`)).json()
const added = (entries: ZoneFileEntry[]) => entries.flatMap(({ record }) => (record ? [record] : []))

test('a zone file says what would be added, and why the rest is left out, line by line', async () => {
  const { name } = w.zone
  const before = w.sent()
  const entries = await read(`
$TTL 2h
$ORIGIN ${name}.
@  IN SOA ns1.other.example. admin.other.example. ( 2026112700
       7200 3600 ; refresh, retry
       1209600 300 )
@        NS    ns1.other.example.
shop  300 IN A 203.0.113.7 ; the shop cf_tags=cf-proxied:true
      IN  AAAA 2001:db8::7
blog     CNAME shop
@     IN 5m MX 10 mail
note     TXT   "v=spf1 include:mail.example" " -all; \\"all\\""
_sip._tcp SRV  10 20 5060 sip.other.example.
@        CAA   0 issue "ca.example"
$ORIGIN deep.${name}.
a        A     203.0.113.8
other.example. A 203.0.113.9
shop.${name}. 300 A 203.0.113.7
bad      A     300.1.2.3
box      HINFO "PC" "Linux"
x CH A 203.0.113.1
$INCLUDE other.zone
open     TXT   "never ends
nothing
`)
  expect(added(entries)).toEqual([
    { type: 'A', name: `shop.${name}`, ttl: 300, comment: 'the shop', content: '203.0.113.7', proxied: true },
    { type: 'AAAA', name: `shop.${name}`, ttl: 7200, comment: null, content: '2001:db8::7', proxied: false },
    { type: 'CNAME', name: `blog.${name}`, ttl: 7200, comment: null, content: `shop.${name}`, proxied: false },
    { type: 'MX', name, ttl: 300, comment: null, content: `mail.${name}`, priority: 10 },
    { type: 'TXT', name: `note.${name}`, ttl: 7200, comment: null, content: 'v=spf1 include:mail.example -all; "all"' },
    {
      ...{ type: 'SRV', name: `_sip._tcp.${name}`, ttl: 7200, comment: null },
      data: { priority: 10, weight: 20, port: 5060, target: 'sip.other.example' },
    },
    { type: 'CAA', name, ttl: 7200, comment: null, data: { flags: 0, tag: 'issue', value: 'ca.example' } },
    { type: 'A', name: `a.deep.${name}`, ttl: 7200, comment: null, content: '203.0.113.8', proxied: false },
  ])
  const out = entries.filter(({ record }) => record === null)
  expect(out.map(({ line, title, detail }) => [line, title, detail])).toEqual([
    [4, `SOA ${name}`, 'Cloudflare keeps this record itself'],
    [7, `NS ${name}`, 'Cloudflare has name servers of its own'],
    [17, 'A other.example', `Not part of ${name}`],
    [18, `A shop.${name}`, 'Stands in the file twice'],
    [19, `A bad.deep.${name}`, 'content must be an IPv4 address'],
    [20, `HINFO box.deep.${name}`, expect.stringContaining('type')],
    [21, 'x CH A 203.0.113.1', 'Only records of the class IN can be added'],
    [22, '$INCLUDE other.zone', 'Other files cannot be included. Import them one by one'],
    [23, expect.stringContaining('open     TXT'), 'A quote does not end'],
    [24, 'nothing', 'This is no DNS record'],
  ])
  expect(w.sent()).toEqual(before)
})

test('what was exported exists already; deleted, it is added again as it was', async () => {
  const text = 'several "words" \\ and a backslash'
  const name = w.newName()
  expect((await w.add({ type: 'TXT', name, content: text, ttl: 300, comment: 'kept' })).statusCode).toBe(200)
  const file = await exported()
  expect(file.name).toBe(`${w.zone.name}.zone`)
  const own = (await read(file.text)).filter(({ title }) => !title.startsWith('NS '))
  expect(added(own)).toEqual([])
  expect(new Set(own.map(({ detail }) => detail))).toEqual(new Set(['Exists already']))

  const seen = (await w.find('TXT', name))!
  expect((await w.remove(seen)).statusCode).toBe(200)
  const [record] = added(await read(file.text))
  expect((await w.add(record!)).statusCode).toBe(200)
  const { id: _then, ...before } = seen
  const { id: _now, ...after } = (await w.find('TXT', name))!
  expect(after).toEqual(before)
})

test('only whoever may change DNS reads files for it, and they are limited', async () => {
  expect((await w.reader.post(`${w.base}/zone-file`, { text: 'a A 203.0.113.1' })).statusCode).toBe(403)
  const long = Array.from({ length: 501 }, (_, index) => `h${index} A 203.0.113.1`).join('\n')
  expect((await w.writer.post(`${w.base}/zone-file`, { text: long })).json()).toMatchObject({
    ...{ status: 400, detail: expect.stringContaining('at most 500 records; this file has 501') },
  })
  expect((await w.writer.post(`${w.base}/zone-file`, { text: 'x'.repeat(200_001) })).statusCode).toBe(400)
})

test('whatever a file holds, each of its lines is told of once', async () => {
  const word = fc.constantFrom(
    '@',
    'www',
    '300',
    'IN',
    'A',
    'TXT',
    'MX',
    '(',
    ')',
    '"',
    ';',
    '\\',
    '$TTL',
    '203.0.113.1',
  )
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
      const text = lines.join('\n')
      if (text.trim() === '') return
      const entries = await read(text)
      const told = entries.map((entry) => entry.line)
      expect(told).toEqual(told.toSorted((a, b) => a - b))
      expect(new Set(told).size).toBe(told.length)
    }),
    { numRuns: 60 },
  )
})
