import * as invoices from '@agency/contract/descriptors/invoices'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { methodWords } from '../../lib/payment-methods.ts'
import { Button } from '../../ui/Button.tsx'
import { CardFacts } from '../../ui/CardFacts.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './billing.module.css'

/** The card or account that the next invoice is charged to, as Stripe shows it now. */
export function SubscriptionPayer({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery({
    ...q(invoices.getSubscriptionPayer, { params: { id } }),
    staleTime: 0,
  })
  if (data?.method) return <CardFacts card={data.method} otherwise={methodWords(data.method.type) ?? 'Saved method'} />
  if (data) return <span className={css['muted']}>No saved card or account</span>
  if (!isError) return <Skeleton width="60%" height={16} />
  return (
    <>
      Unavailable{' '}
      <Button size="small" onClick={() => void refetch()}>
        Retry
      </Button>
    </>
  )
}
