import { useEffect, useRef, useState } from 'react'
import { type Endpoint, newId } from './api.ts'
import type { ApiError } from './problems.ts'
import { isUncertain } from './uncertain.ts'
import { useCall } from './use-call.ts'

export type RowOutcome =
  | { state: 'waiting' | 'running' | 'stopped' }
  /** What became of it: "Suspending". */
  | { state: 'done'; text: string }
  | { state: 'failed'; error: ApiError }

/** What is read again afterwards. */
export type Stale = readonly Endpoint[]

/** Acts on one row, and answers what became of it. */
export type SendRow<Row> = (row: Row, idempotencyKey: string) => Promise<string>

/**
 * Acts on rows one after the other: what is refused for one keeps no other from it. A row that is tried again after a
 * lost answer is sent with the same idempotency key. Whoever leaves the screen stops it after the row that is under way.
 */
export function useBulk<Row extends { id: string }>(send: SendRow<Row>, stale: Stale) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, RowOutcome>>(new Map())
  const [isStopping, setIsStopping] = useState(false)
  const isStopped = useRef(false)
  const keys = useRef(new Map<string, string>())

  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  const note = (id: string, outcome: RowOutcome) => setOutcomes((before) => new Map(before).set(id, outcome))

  const act = async (row: Row): Promise<RowOutcome> => {
    const key = keys.current.get(row.id) ?? newId()
    keys.current.set(row.id, key)
    try {
      return { state: 'done', text: await send(row, key) }
    } catch (error) {
      if (!isUncertain(error as ApiError)) keys.current.delete(row.id)
      return { state: 'failed', error: error as ApiError }
    }
  }

  const { mutate, isPending } = useCall(async (rows: readonly Row[]) => {
    isStopped.current = false
    setIsStopping(false)
    for (const { id } of rows) note(id, { state: 'waiting' })
    for (const row of rows) {
      if (isStopped.current) {
        note(row.id, { state: 'stopped' })
        continue
      }
      note(row.id, { state: 'running' })
      note(row.id, await act(row))
    }
  }, stale)

  return {
    outcomes,
    isRunning: isPending,
    isStopping: isPending && isStopping,
    start: (rows: readonly Row[]) => mutate(rows),
    stop: () => {
      isStopped.current = true
      setIsStopping(true)
    },
  }
}
