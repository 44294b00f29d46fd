type Settings = { ipv4_only?: boolean; ipv6_only?: boolean; flatten_cname?: boolean }
type Common = { name: string; ttl: number; comment: string; tags?: string[]; settings?: Settings }
type Hosted = { content: string; proxied: boolean }

/** A record of one of the types that the console writes. */
export type RecordInput = Common &
  (
    | ({ type: 'A' } & Hosted)
    | ({ type: 'AAAA' } & Hosted)
    | ({ type: 'CNAME' } & Hosted)
    | { type: 'MX'; content: string; priority: number }
    | { type: 'NS'; content: string }
    | { type: 'TXT'; content: string }
    | { type: 'SRV'; data: { priority: number; weight: number; port: number; target: string } }
    | { type: 'CAA'; data: { flags: number; tag: string; value: string } }
  )
export type RecordType = RecordInput['type']
