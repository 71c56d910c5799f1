import { readFileSync } from 'node:fs';
import { ApiClient } from '/tmp/w/h7/test/system/harness/api-client.js';
import { Viewer } from '/tmp/w/h7/bench/fanout/viewer.js';
import { OpusPublisher } from '/tmp/w/h7/bench/signalling/opus-publisher.js';
const s=JSON.parse(readFileSync('/tmp/w/h7/.rtms/ready.json','utf8'));
const api=new ApiClient(s.gateway,`${s.apiUserName}:${s.apiKey}`);
const meetingID=await api.createRoom(); const ses=await api.openSession(meetingID,['audio']);
const pub=new OpusPublisher(ses.ingest.url,ses.ingest.token); await pub.connect(); await api.sessionBecomes(meetingID,ses.sessionID,'active');
const pb=await api.openPlayback(meetingID,ses.sessionID,['audio']);
const first=new Viewer(pb.endpoint,pb.token,'v',['audio']); await first.connect();
const n=Number(process.argv[2]??200); const t=[];
for(let i=0;i<n;i++){ const v=new Viewer(pb.endpoint,pb.token,'v'+i,['audio']); await v.connect(); t.push(v.answeredMs); await v.close(); }
t.sort((a,b)=>a-b); console.log('whep p50',t[n>>1],'p99',t[Math.floor(n*.99)]);
process.exit();
