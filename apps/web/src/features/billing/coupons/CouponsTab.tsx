import type { Coupon } from '@agency/contract/types'
import { lazy } from 'react'
import { useListScreen } from '../../../lib/list/use-list-screen.ts'
import { type TabProps, useSettled } from '../../../lib/use-settled.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListSearch } from '../../../ui/list/fields.tsx'
import { ListScreen } from '../../../ui/list/ListScreen.tsx'
import { billingFailure } from '../billing-failure.ts'
import { couponColumns } from './coupon-columns.tsx'
import { couponsList } from './coupons-list.ts'
import { useCouponActs } from './use-coupon-acts.tsx'

const Details = lazy(() => import('./CouponDetailsDialog.tsx').then((m) => ({ default: m.CouponDetailsDialog })))

const unit = ['coupon', 'coupons'] as const
const failureOf = billingFailure('coupons')
const nameOf = ({ name }: Coupon): string => name

export function CouponsTab({ onSettled }: TabProps) {
  const screen = useListScreen(couponsList)
  useSettled(screen.query, onSettled)
  const acts = useCouponActs({ onDeleted: screen.close, hrefOf: screen.hrefOf })
  return (
    <>
      <ListScreen
        screen={screen}
        label="Coupons"
        unit={unit}
        columns={couponColumns}
        nameOf={nameOf}
        actionsOf={acts.actionsOf}
        skeletonRows={5}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search name, id or code" />
            <AddButton blocked={acts.denial} onClick={acts.create}>
              Create Coupon
            </AddButton>
          </>
        }
        failureOf={failureOf}
        empty={<EmptyState title="No coupons yet" text="Create a coupon to give customers a discount." />}
        details={(row) => <Details {...row} acts={acts} />}
      />
      {acts.dialogs}
    </>
  )
}
