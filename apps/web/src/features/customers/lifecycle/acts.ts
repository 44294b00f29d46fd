/** What can be done to an account, as it stands in the address. */
export const lifecycleActs = ['suspend', 'unsuspend', 'delete', 'restore', 'erase'] as const
export type LifecycleAct = (typeof lifecycleActs)[number]

export type DialogProps = {
  id: string
  /** It was begun; its steps are shown with the customer. */
  onStarted: (id: string) => void
  onClose: () => void
}
