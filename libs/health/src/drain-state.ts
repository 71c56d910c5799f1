/** Whether a service is being drained: then it takes nothing new and is not ready. */
export class DrainState {
  isDraining = false;
}
