import { z } from 'zod'

const text = z.string().nullish().catch(null)
const flag = z.boolean().nullish().catch(null)
const names = z.array(z.string()).nullish().catch(null)

/** The plan, and every field in it, may be missing or empty. */
const plan = z
  .object({
    id: text,
    name: text,
    price: z.number().nullish().catch(null),
    currency: text,
    frequency: text,
    is_subscribed: flag,
    can_subscribe: flag,
  })
  .nullish()
  .catch(null)

export const zone = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  status: text,
  paused: flag,
  type: text,
  created_on: text,
  modified_on: text,
  name_servers: names,
  original_name_servers: names,
  account: z.object({ id: text, name: text }).nullish().catch(null),
  plan,
})
export type Zone = z.output<typeof zone>

export const zoneList = z.array(zone)
export const zoneState = z.object({ paused: z.boolean() })
export const zoneSetting = z.object({ value: z.string() })
export const dnssec = z.object({ status: z.string() })

export const dnsRecord = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string().nullish(),
  ttl: z.number().nullish(),
  proxied: flag,
  priority: z.number().nullish().catch(null),
  comment: text,
  /** Of SRV, CAA and the like: what the content is made of. */
  data: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .nullish()
    .catch(null),
  settings: z.object({ ipv4_only: flag, ipv6_only: flag, flatten_cname: flag }).nullish().catch(null),
  tags: names,
  modified_on: text,
})
export type DnsRecord = z.output<typeof dnsRecord>

export const recordList = z.array(dnsRecord)
export const purged = z.object({ id: z.string() })
export const accountList = z.array(z.object({ id: z.string() }))
