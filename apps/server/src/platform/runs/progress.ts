import type { RequestContext } from '../../context.ts'
import { isStepMine, patchStep, type StepRow } from './queries.ts'

/** Often enough to be watched, and to hear within a moment that the run was cancelled. */
const everyMs = 500

type Told = { done: number; total: number | null; text?: string | undefined }

/** Writes down how far a step is while it is done, and learns so that it is no longer wanted. */
export function createProgress({ db, log }: Pick<RequestContext, 'db' | 'log'>, step: StepRow) {
  const overtaken = new AbortController()
  let newest: Told | undefined
  let writing: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (!(await isStepMine(db, step))) return overtaken.abort(new Error('The step is no longer wanted'))
    const told = newest
    newest = undefined
    if (told)
      await patchStep(db, step, {
        ...{ progress_done: Math.round(told.done), progress_text: told.text ?? null },
        progress_total: told.total === null ? null : Math.round(told.total),
      })
  }

  const timer = setInterval(() => {
    writing = writing.then(look).catch((error: unknown) => log.warn({ err: error }, 'no progress of a step written'))
  }, everyMs)
  timer.unref()

  return {
    overtaken: overtaken.signal,
    note(done: number, total: number | null, text?: string): void {
      newest = { done, total, text }
    },
    async end(): Promise<void> {
      clearInterval(timer)
      await writing
    },
  }
}
