import * as paymentLinks from '@agency/contract/descriptors/payment-links'
import type { PaymentLink } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { isNotFound } from '../../../lib/not-found.ts'
import { DetailsDialog } from '../../../ui/DetailsDialog.tsx'
import { type Fact, Facts } from '../../../ui/Facts.tsx'
import type { OpenedRow } from '../../../ui/list/ListScreen.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { notFound } from '../../../ui/not-found.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from '../billing.module.css'
import { DetailsFailure } from '../DetailsFailure.tsx'
import { StaticTable } from '../StaticTable.tsx'
import { copyBlock, countedTitle, linkChips, paymentsText, quantityText } from './link-words.ts'
import type { LinkActs } from './use-link-acts.tsx'

type Props = OpenedRow<PaymentLink> & { acts: LinkActs }

export function LinkDetailsDialog({ id, listed, acts, onClose }: Props) {
  const details = useQuery(q(paymentLinks.getPaymentLink, { params: { id } }))
  const known = details.data?.payment_link ?? listed
  if (isNotFound(details.error)) return <DetailsDialog {...notFound('Payment link')} onClose={onClose} />
  return (
    <DetailsDialog
      title={known?.name ?? 'Payment link'}
      marks={known ? <StatusChip {...linkChips[known.state]} /> : null}
      subtitle={known?.terms}
      onClose={onClose}
      actions={
        known ? (
          <>
            <MoreMenu label="More actions" actions={acts.actionsOf(known).slice(2)} />
            <ReasonedButton variant="outlined" blocked={copyBlock(known)} onClick={() => acts.copy(known)}>
              Copy link
            </ReasonedButton>
          </>
        ) : undefined
      }
    >
      <DetailsFailure
        error={details.error}
        what="payment links"
        at={details.data?.payment_link.fetched_at}
        onRetry={() => void details.refetch()}
      />
      {details.data ? (
        <>
          <Facts facts={factsOf(details.data.payment_link)} />
          <h3 className={css['heading']}>For the customer</h3>
          <ul>
            {details.data.facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
          <Items link={details.data.payment_link} />
        </>
      ) : details.error ? null : (
        <SkeletonLines count={6} />
      )}
    </DetailsDialog>
  )
}

function factsOf(link: PaymentLink): Fact[] {
  const { id, url, payments } = link
  return [
    { label: 'Address', value: url === null ? 'Unavailable' : null, id: url, wide: true },
    {
      label: 'Payments',
      value: payments ? <span title={countedTitle(link)}>{paymentsText(payments)}</span> : 'No limit',
    },
    { label: 'Link ID', value: null, id },
  ]
}

function Items({ link }: { link: PaymentLink }) {
  return (
    <>
      <h3 className={css['heading']}>What it sells</h3>
      <StaticTable
        label="What it sells"
        headers={['Plan', 'Price', '>Quantity']}
        empty="Stripe lists no products for this link."
        rows={link.items.map((item, at) => ({
          id: `${at} ${item.price_id}`,
          cells: [
            <span key="plan">
              <bdi>{item.name}</bdi>
              {item.is_offered === false ? <span className={css['muted']}> (archived)</span> : null}
            </span>,
            item.terms,
            quantityText(item),
          ],
        }))}
      />
    </>
  )
}
