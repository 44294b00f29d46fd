import { useRef } from 'react'
import { type Endpoint, newId } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { resetReads } from './purchase-reset-list.ts'

/**
 * A call that resets or undoes. A second try of the same words goes under the same key, so that what has happened behind
 * a lost answer happens once.
 */
export function useReset<E extends Endpoint>(endpoint: E) {
  const call = useCall(endpoint, resetReads)
  const tried = useRef({ words: '', key: '' })
  const keyFor = (words: string): string => {
    if (tried.current.key === '' || tried.current.words !== words) tried.current = { words, key: newId() }
    return tried.current.key
  }
  return { ...call, keyFor }
}
