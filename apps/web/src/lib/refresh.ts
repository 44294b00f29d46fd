import { createContext } from 'react'
import type { Endpoint } from './api.ts'

/**
 * Reads the endpoints again. A context of our own, because the sign-in makes calls without the query client, which it
 * would otherwise have to load.
 */
export const RefreshContext = createContext<(stale: readonly Endpoint[]) => Promise<void>>(async () => {})
