import * as coupons from '@agency/contract/descriptors/coupons'
import type { Coupon, PromotionCode } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { isNotFound } from '../../../lib/not-found.ts'
import { useCall } from '../../../lib/use-call.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
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
import {
  codeBlock,
  codeChips,
  countedTitle,
  couponChips,
  limitsOf,
  redeemedText,
  switchOnBlock,
} from './coupon-words.ts'
import { couponReads } from './coupons-list.ts'
import type { CouponActs } from './use-coupon-acts.tsx'

type Props = OpenedRow<Coupon> & { acts: CouponActs }

export function CouponDetailsDialog({ id, listed, acts, onClose }: Props) {
  const details = useQuery(q(coupons.getCoupon, { params: { id } }))
  const known = details.data?.coupon ?? listed
  if (isNotFound(details.error)) return <DetailsDialog {...notFound('Coupon')} onClose={onClose} />
  return (
    <DetailsDialog
      title={known?.name ?? 'Coupon'}
      marks={known ? <StatusChip {...couponChips[known.state]} /> : null}
      subtitle={known?.terms}
      onClose={onClose}
      actions={
        known ? (
          <>
            <MoreMenu label="More actions" actions={acts.actionsOf(known).slice(1)} />
            <ReasonedButton
              variant="outlined"
              aria-haspopup="dialog"
              blocked={acts.denial ?? codeBlock(known)}
              onClick={() => acts.addCode(known)}
            >
              Add promotion code
            </ReasonedButton>
          </>
        ) : undefined
      }
    >
      <DetailsFailure
        error={details.error}
        what="coupons"
        at={details.data?.coupon.fetched_at}
        onRetry={() => void details.refetch()}
      />
      {details.data ? (
        <>
          <Facts facts={factsOf(details.data.coupon, details.data.running_subscriptions)} />
          <Codes coupon={details.data.coupon} codes={details.data.codes} />
        </>
      ) : details.error ? null : (
        <SkeletonLines count={6} />
      )}
    </DetailsDialog>
  )
}

function factsOf(coupon: Coupon, running: number): Fact[] {
  return [
    { label: 'Redeemed', value: <span title={countedTitle(coupon)}>{redeemedText(coupon)}</span> },
    { label: 'Running subscriptions', value: formatCount(running) },
    { label: 'Redeem by', value: <DateTime at={coupon.redeem_by} none="No end" /> },
    {
      label: 'Plans',
      value: coupon.plans.length === 0 ? 'All plans' : <bdi>{coupon.plans.map(({ name }) => name).join(', ')}</bdi>,
    },
    { label: 'Created', value: <DateTime at={coupon.created_at} show="date-time" /> },
    { label: 'Coupon ID', value: null, id: coupon.id },
  ]
}

function Codes({ coupon, codes }: { coupon: Coupon; codes: readonly PromotionCode[] }) {
  const hidden = coupon.codes.total - codes.length
  return (
    <>
      <h3 className={css['heading']}>Promotion codes</h3>
      <StaticTable
        label="Promotion codes"
        headers={['Code', 'Status', 'Switch', '>Redeemed', 'Limits']}
        empty="No promotion codes yet. Customers type a code at checkout to get this discount."
        rows={codes.map((code) => ({
          id: code.id,
          cells: [
            <bdi key="code" className={css['uncut']}>
              {code.code}
            </bdi>,
            <StatusChip key="state" {...codeChips[code.state]} />,
            <SwitchButton key="switch" code={code} />,
            <span key="redeemed" title={countedTitle(code)}>
              {redeemedText(code)}
            </span>,
            <bdi key="limits">{limitsOf(code).join(' · ') || 'None'}</bdi>,
          ],
        }))}
      />
      {hidden > 0 ? <p className={css['muted']}>{formatCount(hidden)} older codes are listed at Stripe.</p> : null}
    </>
  )
}

function SwitchButton({ code: { id, code, state } }: { code: PromotionCode }) {
  const call = useCall(coupons.switchPromotionCode, couponReads)
  const isOn = state === 'active'
  const switchTo = (active: boolean) =>
    call.mutate(
      { params: { id }, body: { active } },
      {
        success: `Switched ${active ? 'on' : 'off'} ${code}`,
        failure: `Not switched ${active ? 'on' : 'off'}: ${code}`,
      },
    )
  return (
    <ReasonedButton
      size="small"
      variant="outlined"
      loading={call.isPending}
      blocked={call.denial ?? (isOn ? undefined : switchOnBlock({ state }))}
      aria-label={`Switch ${isOn ? 'off' : 'on'} ${code}`}
      onClick={() => switchTo(!isOn)}
    >
      {isOn ? 'Switch off' : 'Switch on'}
    </ReasonedButton>
  )
}
