export { paidSettings, tellPaid } from './paid.ts'
export { withoutErased, withoutPersonal } from './personal.ts'
export {
  type CustomerState,
  findState,
  findToErase,
  findWaiting,
  lockState,
  patchState,
} from './queries.ts'
