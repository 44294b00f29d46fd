import type { z } from 'zod'
import type { Access, Permission } from './permissions.ts'

/** What a screen's data is made of; a change to a topic makes every answer that names it stale. */
export type Topic =
  | 'customers'
  | 'lifecycle'
  | 'notes'
  | 'subscriptions'
  | 'payments'
  | 'invoices'
  | 'plans'
  | 'mirror'
  | 'notifications'
  | 'money_actions'
  | 'health'
  | 'audit'
  | 'users'
  | 'api_keys'
  | 'settings'
  | 'mails'
  | 'security'
  | 'purchases'
  | 'impersonations'
  | 'domains'
  | 'dns_records'
  | 'domain_analytics'
  | 'sites'
  | 'deployments'
  | 'monitoring'
  | 'alerts'
  | 'incidents'
  | 'exports'
  | 'report_schedules'
  | 'money_drift'
  | 'backups'
  | 'queues'
  | 'feature_flags'
  | 'sql_console'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Schema = z.ZodType

export type EndpointConfig = {
  method: Method
  /** Below `/api`, parameters as `:id`. */
  path: string
  /** The same path is answered without `/api` too. */
  isAlsoAtRoot?: boolean
  permission: Access
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  response: Schema
  /** What the answer was read from. */
  topics?: readonly Topic[]
  /** The answer depends on who asks or on the moment: its topics make it stale like any other, but it is never shared. */
  isPersonal?: boolean
  /** The answer is one for whoever holds these too, and another for the others. */
  variesWith?: readonly Permission[]
  /** The call moves money or destroys: it takes an `Idempotency-Key`. */
  idempotent?: boolean
  /** A failure says so as a success does: its problem also has `success: false` and `error.message`. */
  tellsSuccess?: boolean
  /** The answer is a file or an event stream rather than JSON. */
  produces?: 'text/csv' | 'text/plain' | 'application/octet-stream' | 'text/event-stream'
}

/** Declares a call of the API: everything that the server, the web and the OpenAPI document need to know of it. */
export function endpoint<const C extends EndpointConfig>(config: C): C {
  return config
}

type Parsed<C, K extends string> = C extends { [P in K]: infer S extends Schema } ? z.output<S> : undefined
type Sent<C, K extends string> = C extends { [P in K]: infer S extends Schema } ? z.input<S> : undefined

export type ParamsOf<C> = Parsed<C, 'params'>
export type QueryOf<C> = Parsed<C, 'query'>
export type BodyOf<C> = Parsed<C, 'body'>
export type ResponseOf<C extends EndpointConfig> = z.output<C['response']>

/** An endpoint as the web knows it: no schema, only its address and the types of what goes in and comes out. */
export type EndpointRef<C extends EndpointConfig = EndpointConfig> = {
  readonly method: Method
  readonly path: string
  readonly permission: Access
  readonly topics: readonly Topic[]
  readonly idempotent: boolean
  /** Carries types only; never present at run time. */
  readonly types?: {
    params: Sent<C, 'params'>
    query: Sent<C, 'query'>
    body: Sent<C, 'body'>
    response: ResponseOf<C>
  }
}
