import { cpus } from 'node:os'
import type { Row } from './report.ts'

const steps = 2_000_000

/** 64 MB of places, each naming the next of one walk through all of them. */
function randomWalk(): Uint32Array {
  const next = new Uint32Array(16 * 1024 * 1024).map((_, index) => index)
  for (let index = next.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * index)
    const kept = next[index]!
    next[index] = next[other]!
    next[other] = kept
  }
  return next
}

/** Nanoseconds that one read among 64 MB takes whose place only the read before it tells. */
function randomReadNs(): number {
  const next = randomWalk()
  let place = 0
  const begun = performance.now()
  for (let step = 0; step < steps; step++) place = next[place]!
  const taken = performance.now() - begun
  // What is not used may be left out by the compiler.
  if (place === next.length) throw new Error('A place lies outside of the walk.')
  return (taken * 1e6) / steps
}

/**
 * Tells what machine the times of a run are of; the reads slow down when others use the same memory. Call it before what is
 * measured; the function that it gives makes the row, once all is measured.
 */
export function describeMachine(): () => Row {
  const before = randomReadNs()
  return () => {
    const cores = cpus()
    return {
      what: 'the machine: a random read among 64 MB, before and after all rows',
      reach: 'reported',
      ours: `${before.toFixed(0)} ns, ${randomReadNs().toFixed(0)} ns`,
      reference: `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}`,
      isReached: null,
    }
  }
}
