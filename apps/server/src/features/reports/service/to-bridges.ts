import type { Bridge } from '@agency/contract/types'
import type { Part } from '../queries/bounds.ts'
import type { BridgePart, MrrNow } from '../queries/bridge.ts'

const homeFirst = (home: string) => (a: string, b: string) =>
  Number(b === home) - Number(a === home) || a.localeCompare(b)

const nothing = { mrr: 0, committed: 0, past_due: 0 }

/** Each bar is the difference of two rounded sums, so that they add up in whole minor units. */
export function toBridges(
  months: readonly Part[],
  parts: readonly BridgePart[],
  now: readonly MrrNow[],
  home: string,
): Bridge[] {
  const isSomething = (one: BridgePart) => one.start !== 0 || one.with_new !== 0 || one.end !== 0
  const currencies = new Set([home, ...now.filter(({ mrr }) => mrr !== 0).map(({ currency }) => currency)])
  for (const part of parts) if (isSomething(part)) currencies.add(part.currency)
  return [...currencies].sort(homeFirst(home)).map((currency) => {
    const { mrr, committed, past_due } = now.find((one) => one.currency === currency) ?? nothing
    return {
      currency,
      now: { mrr, committed, past_due },
      months: months.map(({ name, from, until, partial }, index) => {
        const part = parts.find((one) => one.currency === currency && one.part === index + 1)
        return {
          ...{ month: name, from, until, partial },
          start: part?.start ?? 0,
          new: part ? part.with_new - part.start : 0,
          expansion: part ? part.with_expansion - part.with_new : 0,
          reactivation: part ? part.with_reactivation - part.with_expansion : 0,
          contraction: part ? part.with_reactivation - part.with_contraction : 0,
          churn: part ? part.with_contraction - part.end : 0,
          end: part?.end ?? 0,
          reconstructed: part?.reconstructed ?? false,
        }
      }),
    }
  })
}
