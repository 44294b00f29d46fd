import * as sqlConsole from '@agency/contract/descriptors/sql-console'
import { useEffect, useRef, useState } from 'react'
import { call, newId, type ResponseOf } from '../../lib/api.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'

export type Asked = { query: string; parameters: (string | null)[] }
export type Result = ResponseOf<typeof sqlConsole.runQuery>
export type Plan = ResponseOf<typeof sqlConsole.explainQuery>
export type Outcome = { kind: 'result'; answer: Result } | { kind: 'plan'; answer: Plan; analyze: boolean }

type Order = Asked & { id: string } & ({ kind: 'run' } | { kind: 'explain'; analyze: boolean })

const stale = [sqlConsole.listQueries]

function send(order: Order, signal: AbortSignal): Promise<Outcome> {
  const { id, query, parameters } = order
  const body = { id, query, parameters }
  return order.kind === 'run'
    ? call(sqlConsole.runQuery, { body }, { signal }).then((answer) => ({ kind: 'result', answer }))
    : call(sqlConsole.explainQuery, { body: { ...body, analyze: order.analyze } }, { signal }).then((answer) => ({
        ...{ kind: 'plan', answer, analyze: order.analyze },
      }))
}

/** One query at a time: run, explained, cancelled. Whoever leaves the screen ends it. */
export function useQueryRun() {
  const leaving = useRef(new AbortController())
  const [running, setRunning] = useState<{ id: string; since: number } | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const ask = useCall((order: Order) => send(order, leaving.current.signal), stale)
  const cancel = useCall(sqlConsole.cancelQuery)

  useEffect(() => {
    leaving.current = new AbortController()
    const controller = leaving.current
    return () => controller.abort()
  }, [])

  const start = (order: Omit<Order, 'id'> & { kind: Order['kind'] }) => {
    const id = newId()
    setRunning({ id, since: Date.now() })
    ask.mutate({ ...order, id } as Order, { onSuccess: setOutcome, onSettled: () => setRunning(null) })
  }

  return {
    running,
    outcome,
    error: ask.error as ApiError | null,
    run: (asked: Asked) => start({ ...asked, kind: 'run' }),
    explain: (asked: Asked, analyze: boolean) => start({ ...asked, kind: 'explain', analyze } as Order),
    cancel: () => {
      if (running) cancel.mutate({ params: { id: running.id } }, { failure: 'The query was not cancelled.' })
    },
    isCancelling: cancel.isPending,
    clear: () => {
      setOutcome(null)
      ask.reset()
    },
  }
}
