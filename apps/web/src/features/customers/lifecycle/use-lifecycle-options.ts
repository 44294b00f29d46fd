import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import { useDenial, useSessionState } from '../../../lib/session.ts'
import type { LifecycleOptions } from './lifecycle-actions.ts'
import { superAdminOnly } from './super-admin.ts'

export function useLifecycleOptions(onAct: LifecycleOptions['onAct']): LifecycleOptions {
  const state = useSessionState()
  const denials = {
    write: useDenial(customerLifecycle.suspendCustomer),
    delete: useDenial(customerLifecycle.deleteCustomer),
    erase: superAdminOnly(state),
  }
  return { denials, onAct }
}
