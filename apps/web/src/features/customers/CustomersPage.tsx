import { useLocation } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { CustomersTab } from './CustomersTab.tsx'
import { ImpersonationTab } from './ImpersonationTab.tsx'

export function CustomersPage() {
  return useLocation().pathname === paths.impersonation ? <ImpersonationTab /> : <CustomersTab />
}
