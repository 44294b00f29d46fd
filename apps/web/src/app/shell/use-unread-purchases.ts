import * as purchases from '@agency/contract/descriptors/purchases'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { useDenial } from '../../lib/session.ts'
import { useLive } from '../LiveProvider.tsx'

/** How many purchases whoever is signed in has not read; 0 while that is not known. */
export function useUnreadPurchases(): number {
  const { calm } = useLive()
  const denial = useDenial(purchases.listPurchases)
  const { data } = useQuery({ ...q(purchases.listPurchases, { query: { limit: 1 } }), enabled: calm && !denial })
  return data?.unreadCount ?? 0
}
