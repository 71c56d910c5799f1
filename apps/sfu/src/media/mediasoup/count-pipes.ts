import type { types } from 'mediasoup';

/** Answers how many tracks of a worker's routers are sent on to other routers now, whoever arranged that. */
export function countPipes(worker: types.Worker): () => number {
  let count = 0;
  worker.observer.on('newrouter', router => {
    router.observer.on('newtransport', transport => {
      if (transport.type === 'pipe') transport.observer.on('newconsumer', consumer => follow(consumer));
    });
  });
  const follow = (consumer: types.Consumer): void => {
    count += 1;
    consumer.observer.once('close', () => (count -= 1));
  };
  return () => count;
}
