import type Cloudflare from 'cloudflare'
import type { PagePromise } from 'cloudflare/core/pagination'
import type Stripe from 'stripe'

/** Stripe's types leave their lists of words open; what the sandbox says is to be one of those that are written down. */
type Written<T> = T extends string ? (string extends T ? never : T) : never
type Closed<T> = [Written<T>] extends [never] ? T : Written<T> | Exclude<T, string>

/** Of a hash that changed only what differs is told, which the types, whole objects all, do not say. */
type Before = 'previous_attributes'

type SentEach<T> = T extends Stripe.Decimal
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends Array<infer Item>
      ? Sent<Item>[]
      : T extends object
        ? {
            [Key in keyof T as Key extends 'lastResponse' ? never : Key]: Key extends Before ? object : Sent<T[Key]>
          }
        : T
/** What an SDK decodes, as it travels: without what the SDK adds, and with decimals as texts. */
type Sent<T> = SentEach<Closed<T>>

type At<T, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? First extends keyof T
    ? At<T[First], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never
type Returned<Method> = Method extends (...args: never[]) => infer Result ? Result : never

/** What Stripe's SDK says its call answers, by the call's name. */
export type StripeAnswer<Name extends string> = Sent<Awaited<Returned<At<Stripe, Name>>>>

type Result<T> = T extends PagePromise<infer _Page, infer Item> ? Item[] : Awaited<T>
/** What stands as `result` in the answer to a call of Cloudflare's SDK. */
export type CloudflareAnswer<Name extends string> = Sent<Result<Returned<At<Cloudflare, Name>>>>
