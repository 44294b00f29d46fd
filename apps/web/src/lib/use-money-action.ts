import * as billing from '@agency/contract/descriptors/billing'
import type { MoneyAction } from '@agency/contract/types'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Endpoint, type Input, newId, q, type ResponseOf } from './api.ts'
import { ApiError } from './problems.ts'
import { isUncertain } from './uncertain.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

export type Outcome =
  /** Not sent yet, or refused for certain: nothing has happened. */
  | { phase: 'open'; error: { message: string; requestId?: string | undefined } | null }
  | { phase: 'sending' }
  /** The answer was lost. The action may have happened; what the server recorded is being followed. */
  | { phase: 'unknown'; error: ApiError; followFailed: boolean }
  /** Was unknown; the server's record now says that it happened. */
  | { phase: 'confirmed'; action: MoneyAction }

const followEveryMs = 3000
/** The record is written before the provider is called, so after this many looks without one the call never arrived. */
const looksUntilMissing = 3

/**
 * Sends a money action. Its id is made once and sent as the idempotency key with every try, so a second press, or a try
 * after a lost answer, is the same action.
 */
export function useMoneyAction<E extends Endpoint>(endpoint: E, targetId: string) {
  const client = useQueryClient()
  const [actionId, setActionId] = useState(newId)
  const [sent, setSent] = useState<'no' | 'sending' | 'lost'>('no')
  const [error, setError] = useState<ApiError | null>(null)
  const oneAtATime = useOneAtATime()
  const [tries, setTries] = useState(0)
  const record = useRecord(targetId, actionId, tries, sent === 'lost')

  const outcome = outcomeOf(sent, error, record)

  const send = async (input: Input<E>, onAnswer: (answer: ResponseOf<E>) => void) => {
    // What is known to have failed is over: the next press is a new action and may carry another amount.
    const id = record.state === 'failed' ? newId() : actionId
    setActionId(id)
    setTries((now) => now + 1)
    setSent('sending')
    setError(null)
    try {
      const answer = await call(endpoint, input, { idempotencyKey: id })
      setSent('no')
      void refreshMoney(client)
      onAnswer(answer)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
      setSent(isUncertain(thrown) ? 'lost' : 'no')
      if (!isUncertain(thrown)) setActionId(newId())
    }
  }
  const run = (...args: Parameters<typeof send>) => oneAtATime(() => send(...args))
  return { outcome, run }
}

type RecordState = 'looking' | 'done' | 'failed' | 'missing'
type ServerRecord = { state: RecordState; action: MoneyAction | undefined; lookFailed: boolean }

/** What the server wrote down about the action, looked up until it is settled. */
function useRecord(targetId: string, actionId: string, tries: number, follow: boolean): ServerRecord {
  const query = useQuery({
    ...q(billing.listMoneyActions, { query: { target: targetId } }),
    queryKey: [billing.listMoneyActions.path, 'follow', actionId, tries],
    staleTime: 0,
    enabled: follow,
    gcTime: 0,
    refetchInterval: ({ state }) => (isSettled(state.data?.actions, actionId) ? false : followEveryMs),
  })
  const looks = useLooks(query.dataUpdatedAt)
  const action = query.data?.actions.find((each) => each.id === actionId)
  const lookFailed = query.isError
  if (!follow) return { state: 'looking', action: undefined, lookFailed: false }
  if (!action) return { state: looks >= looksUntilMissing ? 'missing' : 'looking', action, lookFailed }
  const settled = action.state === 'done' || action.state === 'failed'
  return { state: settled ? (action.state as 'done' | 'failed') : 'looking', action, lookFailed }
}

function isSettled(actions: readonly MoneyAction[] | undefined, id: string): boolean {
  return actions?.some((action) => action.id === id && (action.state === 'done' || action.state === 'failed')) ?? false
}

function useLooks(updatedAt: number): number {
  const [seen, setSeen] = useState({ updatedAt: 0, looks: 0 })
  if (updatedAt === seen.updatedAt) return seen.looks
  const next = { updatedAt, looks: updatedAt === 0 ? 0 : seen.looks + 1 }
  setSeen(next)
  return next.looks
}

function outcomeOf(sent: 'no' | 'sending' | 'lost', error: ApiError | null, record: ServerRecord): Outcome {
  if (sent === 'sending') return { phase: 'sending' }
  if (sent === 'no' || !error) return { phase: 'open', error }
  if (record.state === 'done' && record.action) return { phase: 'confirmed', action: record.action }
  if (record.state === 'failed') {
    return { phase: 'open', error: { message: record.action?.error ?? 'Stripe refused. Nothing was changed.' } }
  }
  if (record.state === 'missing') {
    return { phase: 'open', error: { message: 'The console did not get the request. Nothing was changed. Try again.' } }
  }
  return { phase: 'unknown', error, followFailed: record.lookFailed }
}

const moneyTopics = ['payments', 'subscriptions', 'invoices', 'money_actions', 'customers']

/** Throws away what was read before the action, without waiting for the server to tell of the change. */
function refreshMoney(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ meta }) => ((meta?.['topics'] ?? []) as string[]).some((topic) => moneyTopics.includes(topic)),
    refetchType: 'active',
  })
}
