import * as coupons from '@agency/contract/descriptors/coupons'
import type { Coupon } from '@agency/contract/types'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { useDenial } from '../../../lib/session.ts'
import type { Action } from '../../../ui/action.ts'
import { useToast } from '../../../ui/Toast.tsx'
import { codeBlock } from './coupon-words.ts'

const CreateCouponDialog = lazy(() =>
  import('./CreateCouponDialog.tsx').then((m) => ({ default: m.CreateCouponDialog })),
)
const AddCodeDialog = lazy(() => import('./AddCodeDialog.tsx').then((m) => ({ default: m.AddCodeDialog })))
const DeleteCouponDialog = lazy(() =>
  import('./DeleteCouponDialog.tsx').then((m) => ({ default: m.DeleteCouponDialog })),
)

type Act = { kind: 'create' } | { kind: 'add-code' | 'delete'; coupon: Coupon }

export type CouponActs = {
  /** Why nothing can be changed, or undefined. */
  denial: string | undefined
  create: () => void
  addCode: (coupon: Coupon) => void
  actionsOf: (coupon: Coupon) => readonly Action[]
  /** What is open. */
  dialogs: ReactNode
}

type Options = { onDeleted: () => void; hrefOf: (coupon: Coupon) => string }

/** What can be done with coupons, in the list and in their details. */
export function useCouponActs({ onDeleted, hrefOf }: Options): CouponActs {
  const [act, setAct] = useState<Act>()
  const toast = useToast()
  const denial = useDenial(coupons.createCoupon)
  const close = () => setAct(undefined)
  const addCode = (coupon: Coupon) => setAct({ kind: 'add-code', coupon })
  const copy = async ({ id }: Coupon) => {
    if (await copyText(id)) toast.success(`Copied ${id}`)
    else toast.info(`The browser refused to copy. The id is ${id}`)
  }
  const actionsOf = (coupon: Coupon): readonly Action[] => [
    { label: 'View Details', href: hrefOf(coupon) },
    { label: 'Copy ID', onSelect: () => void copy(coupon) },
    {
      label: 'Add promotion code',
      disabledReason: denial ?? codeBlock(coupon),
      onSelect: () => addCode(coupon),
    },
    {
      ...{ label: 'Delete', destructive: true, divider: true, disabledReason: denial },
      onSelect: () => setAct({ kind: 'delete', coupon }),
    },
  ]
  const dialogs = (
    <Suspense>
      {act?.kind === 'create' ? <CreateCouponDialog onClose={close} /> : null}
      {act?.kind === 'add-code' ? <AddCodeDialog coupon={act.coupon} onClose={close} /> : null}
      {act?.kind === 'delete' ? <DeleteCouponDialog coupon={act.coupon} onDeleted={onDeleted} onClose={close} /> : null}
    </Suspense>
  )
  return { denial, create: () => setAct({ kind: 'create' }), addCode, actionsOf, dialogs }
}
