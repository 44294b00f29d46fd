/** What goes on in an agency while one looks at the screen, and how often. */
const happenings: [scenario: string, weight: number][] = [
  ['customer_updated', 14],
  ['payment_succeeds', 10],
  ['checkout_opened', 6],
  ['website_sold', 4],
  ['payment_fails', 2],
  ['subscription_started', 1],
  ['customer_created', 1],
]
const total = happenings.reduce((sum, [, weight]) => sum + weight, 0)

export function choose(random: number): string {
  let left = random * total
  for (const [name, weight] of happenings) {
    left -= weight
    if (left < 0) return name
  }
  return 'customer_updated'
}

const minute = 60_000
const livelyMs = 20 * minute

/** Lively for someone who has just started it; a console that runs for weeks must not grow a town. */
export function usualPause(sinceStartMs: number, random: number): number {
  const [shortest, longest] = sinceStartMs < livelyMs ? [minute / 3, minute] : [4 * minute, 15 * minute]
  return shortest + random * (longest - shortest)
}

export type Activity = {
  happen: (scenario: string) => Promise<unknown>
  pause?: (sinceStartMs: number, random: number) => number
}

/** Now and then something happens by itself. Returns how to stop it. */
export function startActivity({ happen, pause = usualPause }: Activity): () => void {
  let timer: NodeJS.Timeout
  let stopped = false
  const started = performance.now()
  const plan = () => {
    if (stopped) return
    timer = setTimeout(
      () => {
        // What could not happen now is left out; the next thing comes anyway.
        void happen(choose(Math.random()))
          .catch(() => undefined)
          .then(plan)
      },
      pause(performance.now() - started, Math.random()),
    )
    timer.unref()
  }
  plan()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
