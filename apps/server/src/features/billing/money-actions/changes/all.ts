import type { SubscriptionChange } from '@agency/contract/types'
import { cancel } from './cancel.ts'
import type { ChangeOf } from './change.ts'
import { pause, resume } from './pause.ts'
import { changePlan } from './plan.ts'
import { undoCancel } from './undo-cancel.ts'

const changes: { [K in SubscriptionChange]: ChangeOf<K> } = {
  cancel,
  undo_cancel: undoCancel,
  pause,
  resume,
  change_plan: changePlan,
}

export const changeOf = <K extends SubscriptionChange>(kind: K): ChangeOf<K> => changes[kind]
