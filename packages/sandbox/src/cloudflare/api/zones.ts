import { badParameter, noSetting, noZone } from '../http/errors.ts'
import { infoOf, readPage, zonePages } from '../http/paging.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import type { ZoneRow } from '../types.ts'

export async function zoneOf({ db, schema, ids }: Pick<Call, 'db' | 'schema' | 'ids'>): Promise<ZoneRow> {
  const { rows } = await db.query<ZoneRow>(`select id, name, doc, priv from ${schema}.cf_zones where id = $1`, [ids[0]])
  if (!rows[0]) throw noZone()
  return rows[0]
}

const statuses = ['initializing', 'pending', 'active', 'moved']
const orders: Record<string, string> = {
  name: 'name',
  status: `doc->>'status'`,
  'account.id': `doc #>> '{account,id}'`,
  'account.name': `doc #>> '{account,name}'`,
  'plan.id': `doc #>> '{plan,id}'`,
}
const nameOperators: Record<string, (value: string) => string> = {
  equal: (value) => value,
  starts_with: (value) => `${value}%`,
  ends_with: (value) => `%${value}`,
  contains: (value) => `%${value}%`,
}
const asPattern = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function namePattern(given: string): string {
  const colon = given.indexOf(':')
  const operator = colon < 0 ? undefined : nameOperators[given.slice(0, colon)]
  return operator ? operator(asPattern(given.slice(colon + 1))) : asPattern(given)
}

function orderOf(query: URLSearchParams): string {
  const order = orders[query.get('order') ?? 'name']
  const direction = query.get('direction') ?? 'asc'
  if (!order) throw badParameter('order must be one of name, status, account.id, account.name, plan.id')
  if (direction !== 'asc' && direction !== 'desc') throw badParameter('direction must be asc or desc')
  return `${order} ${direction} nulls last, name`
}

async function listZones({ db, schema, query }: Call): Promise<Answer> {
  const page = readPage(query, zonePages)
  const status = query.get('status')
  if (status !== null && !statuses.includes(status)) throw badParameter(`status must be one of ${statuses.join(', ')}`)
  const name = query.get('name')
  const types = query.get('type')?.split(',') ?? ['full', 'partial', 'secondary']
  const { rows } = await db.query<{ doc: unknown; total: number }>(
    `select doc, count(*) over () as total from ${schema}.cf_zones
     where ($1::text is null or doc->>'status' = $1) and ($2::text is null or name ilike $2)
       and doc->>'type' = any($3) and ($4::text is null or doc #>> '{account,id}' = $4)
     order by ${orderOf(query)} limit $5 offset $6`,
    [status, name === null ? null : namePattern(name), types, query.get('account.id'), page.perPage, page.offset],
  )
  const total = rows[0]?.total ?? (page.page === 1 ? 0 : await countZones({ db, schema }, types))
  return { result: rows.map(({ doc }) => doc), info: infoOf(page, rows.length, total) }
}

async function countZones({ db, schema }: Pick<Call, 'db' | 'schema'>, types: string[]): Promise<number> {
  const sql = `select count(*) as total from ${schema}.cf_zones where doc->>'type' = any($1)`
  return (await db.query<{ total: number }>(sql, [types])).rows[0]?.total ?? 0
}

async function readSetting(call: Call): Promise<Answer> {
  const { doc, priv } = await zoneOf(call)
  if (call.ids[1] !== 'ssl') throw noSetting()
  return {
    result: {
      id: 'ssl',
      value: priv.ssl,
      modified_on: doc.modified_on,
      editable: true,
      certificate_status: doc.status === 'active' ? 'active' : 'none',
      validation_errors: [],
    },
  }
}

async function readDnssec(call: Call): Promise<Answer> {
  const { name, doc, priv } = await zoneOf(call)
  const known = priv.dnssec === 'active' || priv.dnssec === 'pending'
  const digest = known ? call.ids[0]!.repeat(2).toUpperCase() : null
  return {
    result: {
      status: priv.dnssec,
      flags: known ? 257 : null,
      algorithm: known ? '13' : null,
      key_type: known ? 'ECDSAP256SHA256' : null,
      digest_type: known ? '2' : null,
      digest_algorithm: known ? 'SHA256' : null,
      digest,
      ds: known ? `${name}. 3600 IN DS 2371 13 2 ${digest}` : null,
      key_tag: known ? 2371 : null,
      public_key: known ? `${call.ids[0]}${call.ids[0]}==` : null,
      dnssec_multi_signer: false,
      dnssec_presigned: doc.type === 'secondary',
      modified_on: doc.modified_on,
    },
  }
}

export const zoneRoutes: Route[] = [
  { name: 'zones.list', method: 'GET', path: '/zones', scope: 'Zone:Read', answer: listZones },
  {
    name: 'zones.get',
    method: 'GET',
    path: '/zones/:zone',
    scope: 'Zone:Read',
    answer: async (call) => ({ result: (await zoneOf(call)).doc }),
  },
  {
    name: 'zones.settings.get',
    method: 'GET',
    path: '/zones/:zone/settings/:setting',
    scope: 'Zone Settings:Read',
    answer: readSetting,
  },
  { name: 'dns.dnssec.get', method: 'GET', path: '/zones/:zone/dnssec', scope: 'DNS:Read', answer: readDnssec },
]
