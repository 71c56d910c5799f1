/** @weight 0.2 for 30 s */
import ndc from 'node-datachannel';
import { describeMediaEngine } from '../media-engine.contract.js';
import { describeViewers } from '../viewers.contract.js';
import { mediasoupUnderTest } from './testing/mediasoup-under-test.js';

afterAll(() => ndc.cleanup());

describeMediaEngine('MediasoupEngine', mediasoupUnderTest);
describeViewers('MediasoupEngine', mediasoupUnderTest);
