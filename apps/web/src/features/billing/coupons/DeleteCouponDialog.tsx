import * as coupons from '@agency/contract/descriptors/coupons'
import type { Coupon } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q, type ResponseOf } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { unreadPreview } from '../../../ui/unread-preview.ts'
import { DetailsFailure } from '../DetailsFailure.tsx'

type Props = { coupon: Coupon; onDeleted: () => void; onClose: () => void }

/** What it touches is read when it opens, so that what is said is so now. */
export function DeleteCouponDialog({ coupon, onDeleted, onClose }: Props) {
  const { id, name } = coupon
  const details = useQuery({ ...q(coupons.getCoupon, { params: { id } }), staleTime: 0 })
  const remove = useCall(coupons.deleteCoupon, [coupons.listCoupons])
  const toast = useToast()
  // One whose deletion lost its answer may be gone by it.
  const error = remove.isUnknown ? null : details.error
  const known = details.isFetchedAfterMount && !error ? details.data : undefined
  const handleConfirm = () =>
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          toast.success(`Deleted coupon ${name}`)
          onDeleted()
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete Coupon"
      consequences={known ? consequencesOf(known) : []}
      confirmLabel="Delete coupon"
      destructive
      pending={remove.isPending}
      blockedReason={known ? undefined : unreadPreview(error)}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <DetailsFailure error={error} what="the coupon" at={undefined} onRetry={() => void details.refetch()} />
      {known || error ? null : <SkeletonLines count={3} />}
    </ConfirmDialog>
  )
}

const namedCodes = 5

function consequencesOf(details: ResponseOf<typeof coupons.getCoupon>): ReactNode[] {
  const { coupon, codes, running_subscriptions: running } = details
  const working = codes.filter(({ state }) => state === 'active').map(({ code }) => code)
  const more = coupon.codes.active - Math.min(working.length, namedCodes)
  const listed = `${working.slice(0, namedCodes).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
  return [
    <>
      Nobody can redeem <bdi>{coupon.name}</bdi> any more. This cannot be undone.
    </>,
    running === 0
      ? 'No running subscription has this discount.'
      : running === 1
        ? '1 running subscription keeps this discount.'
        : `${formatCount(running)} running subscriptions keep this discount.`,
    ...(working.length === 0
      ? []
      : [
          coupon.codes.active === 1
            ? `1 promotion code stops working: ${listed}.`
            : `${formatCount(coupon.codes.active)} promotion codes stop working: ${listed}.`,
        ]),
  ]
}
