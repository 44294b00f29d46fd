import * as customers from '@agency/contract/descriptors/customers'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'

type Answer = ResponseOf<typeof customers.listCustomersByEmail>
export type SameEmail = { told: Answer | null; check: (email: string) => Promise<'free' | 'told' | 'told_before'> }

const freshMs = 5000
const nobody: Answer = { customers: [], has_more: false }

/** Who has the email already, so that it is told before it is saved. What cannot be looked up does not stop anybody. */
export function useSameEmail(current: string, except?: string): SameEmail {
  const client = useQueryClient()
  const [told, setTold] = useState<{ email: string; answer: Answer }>()
  const email = current.trim()
  const check: SameEmail['check'] = async (typed) => {
    const wanted = typed.trim()
    if (!wanted.includes('@')) return 'free'
    const query = q(customers.listCustomersByEmail, { query: { email: wanted, except } })
    const answer = await client.fetchQuery({ ...query, staleTime: freshMs, retry: false }).catch(() => nobody)
    setTold({ email: wanted, answer })
    if (answer.customers.length === 0) return 'free'
    return told?.email === wanted ? 'told_before' : 'told'
  }
  const isTold = told !== undefined && told.email === email && told.answer.customers.length > 0
  return { told: isTold ? told.answer : null, check }
}
